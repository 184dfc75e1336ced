# Fits rpart's tree or ranger's forest to the tables that r.py wrote into a folder, and writes what
# it took, the nodes and the answers there.
told <- commandArgs(TRUE)
kind <- told[1]; folder <- told[2]; trees <- as.integer(told[3])
threads <- as.integer(told[4]); seed <- as.integer(told[5]); alpha <- as.double(told[6])
levels <- as.integer(strsplit(told[7], ",")[[1]])  # of each column, the target last; 0: numbers

table_of <- function(name) {
  file <- file.path(folder, name)
  values <- readBin(file, "double", file.size(file) / 8)
  values[is.nan(values)] <- NA
  values <- matrix(values, ncol = length(levels))
  columns <- lapply(seq_along(levels), function(i) {
    if (levels[i] == 0) values[, i] else factor(values[, i], levels = seq_len(levels[i]) - 1)
  })
  names(columns) <- c(paste0("x", seq_len(length(levels) - 1)), "y")
  as.data.frame(columns)
}

seen <- table_of("seen.bin")
asked <- table_of("asked.bin")
if (kind == "cart") {
  library(rpart)
  control <- rpart.control(cp = alpha, xval = 0)
  seconds <- system.time(model <- rpart(y ~ ., seen, control = control))[["elapsed"]]
  nodes <- nrow(model$frame)
  answers <- predict(model, asked, type = "class")
} else {
  library(ranger)
  seconds <- system.time(
    model <- ranger(
      y ~ ., seen, num.trees = trees, num.threads = threads, min.node.size = 1, seed = seed + 1,
      oob.error = FALSE
    )
  )[["elapsed"]]
  nodes <- sum(lengths(model$forest$split.varIDs))
  answers <- predict(model, asked, num.threads = threads)$predictions
}
writeBin(c(seconds, nodes, as.double(as.character(answers))), file.path(folder, "answers.bin"))
