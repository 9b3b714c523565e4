var frame = document.querySelector("iframe"), words = [WORDS], found = [];
function next() {
  var inside = frame.contentDocument, field = inside.getElementById("search");
  if (words.length === 0) {
    var before = frame.contentWindow.getComputedStyle(inside.body).backgroundColor;
    inside.getElementById("theme").click();
    var after = frame.contentWindow.getComputedStyle(inside.body).backgroundColor;
    found.push(before === after ? "same colours" : "other colours");
    document.body.setAttribute("data-found", found.join("; "));
    return;
  }
  field.value = words.shift();
  field.dispatchEvent(new Event("input"));
  var wait = setInterval(function () {
    if (inside.querySelector("#results > *") === null) { return; }
    clearInterval(wait);
    var link = inside.querySelector("#results a");
    var box = inside.getElementById("results");
    found.push(link === null ? box.textContent : link.getAttribute("href"));
    box.replaceChildren();
    next();
  }, 20);
}
frame.addEventListener("load", next);
frame.src = "docs/index.html";
