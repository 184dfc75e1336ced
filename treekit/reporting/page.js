"use strict";

// Tables are sorted by clicking a head: once rising, once falling. Unknown figures stay last.
const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function compared(first, second, falling) {
  const [a, b] = [first.dataset.value, second.dataset.value];
  if (a === undefined || b === undefined) {
    const order = words.compare(first.textContent, second.textContent);
    return falling ? -order : order;
  }
  if (a === "" || b === "") return (a === "") - (b === "");
  return falling ? b - a : a - b;
}

function sortBy(head) {
  const table = head.closest("table");
  const column = head.cellIndex;
  const falling = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", falling ? "descending" : "ascending");
  const rows = Array.from(table.tBodies[0].rows);
  rows.sort((r, s) => compared(r.cells[column], s.cells[column], falling));
  table.tBodies[0].append(...rows);
}

// The filter looks at names alone: those of rows, and of columns where these are names, too.
// Where no name of one side matches, that side is shown in full if the other one has a match.
function matches(cell, sought) {
  return cell.textContent.toLowerCase().includes(sought);
}

function filterTable(table, sought) {
  const rows = Array.from(table.tBodies[0].rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const rowNames = (row) => Array.from(row.cells).filter((c) => c.tagName === "TH" || c.dataset.value === undefined);
  const found = rows.map((row) => rowNames(row).some((cell) => matches(cell, sought)));
  const isCross = table.classList.contains("cross");
  const columns = heads.map((head, i) => i > 0 && isCross && matches(head, sought));
  const anyColumn = columns.some(Boolean);
  const anyRow = found.some(Boolean);
  rows.forEach((row, i) => { row.hidden = !(found[i] || (anyColumn && !anyRow)); });
  for (const row of table.rows) {
    Array.from(row.cells).forEach((cell, i) => { cell.hidden = anyColumn && i > 0 && !columns[i]; });
  }
}

function filterAll(sought) {
  for (const table of document.querySelectorAll("table.sortable")) filterTable(table, sought);
  for (const named of document.querySelectorAll("details[data-name]")) {
    named.hidden = !named.dataset.name.toLowerCase().includes(sought);
  }
}

for (const head of document.querySelectorAll("table.sortable thead th")) {
  head.addEventListener("click", () => sortBy(head));
}
const box = document.getElementById("filter");
box.addEventListener("input", () => filterAll(box.value.trim().toLowerCase()));
