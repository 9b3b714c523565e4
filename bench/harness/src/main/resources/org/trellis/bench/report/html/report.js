
document.querySelectorAll("table.sortable th").forEach(function (head) {
  head.addEventListener("click", function () {
    var table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
    var upward = head.getAttribute("aria-sort") !== "ascending";
    table.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", upward ? "ascending" : "descending");
    var key = function (row) {
      var cell = row.cells[column], value = cell.getAttribute("data-value");
      return value === null ? cell.textContent : Number(value);
    };
    Array.from(body.rows).map(function (row) { return { row: row, key: key(row) }; }).sort(function (a, b) {
      var order = typeof a.key === "number" ? a.key - b.key : a.key.localeCompare(b.key);
      return upward ? order : -order;
    }).forEach(function (entry) { body.appendChild(entry.row); });
  });
});
// Phones fold rows: each cell then stands below the name of its column.
document.querySelectorAll("table.sortable").forEach(function (table) {
  var names = Array.from(table.tHead.rows[0].cells, function (head) { return head.textContent; });
  Array.from(table.tBodies[0].rows).forEach(function (row) {
    Array.from(row.cells).forEach(function (cell, column) { cell.setAttribute("data-label", names[column]); });
  });
});
var filter = document.getElementById("filter");
if (filter !== null) {
  filter.addEventListener("input", function () {
    var words = filter.value.toLowerCase().split(" ");
    filter.parentNode.querySelectorAll("tbody tr").forEach(function (row) {
      var text = row.textContent.toLowerCase();
      row.hidden = !words.every(function (word) { return text.includes(word); });
    });
  });
}
