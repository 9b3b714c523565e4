var pages = [PAGES], found = [], frame = document.querySelector("iframe"), at = 0;
function luminance(colour) {
  var parts = colour.match(/[\d.]+/g).map(function (part) {
    var c = part / 255;
    return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
function background(element) {
  for (; element !== null; element = element.parentElement) {
    var colour = getComputedStyle(element).backgroundColor;
    if (!/, 0\)/.test(colour)) { return luminance(colour); }
  }
  return 1;
}
function measure(page) {
  var inside = frame.contentDocument, wide = inside.documentElement.clientWidth;
  var needed = inside.documentElement.scrollWidth;
  if (needed > wide) { found.push(page + ": scrolls to " + needed); }
  inside.querySelectorAll("h1, h2, h3, p, li, header > *, nav a").forEach(function (element) {
    var box = element.getBoundingClientRect();
    if (element.className !== "skip" && box.width > 0
        && (box.right > wide + 1 || box.left < -1)) {
      found.push(page + ": cut off: " + element.textContent.slice(0, 40));
    }
  });
  var texts = "main p, main code, main th, nav a, .version";
  inside.querySelectorAll(texts).forEach(function (element, number) {
    if (number % 9 !== 0) { return; }
    var one = luminance(getComputedStyle(element).color), other = background(element);
    var contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) { found.push(page + ": " + contrast + " " + element.outerHTML); }
  });
  inside.querySelectorAll("img").forEach(function (image) {
    if (image.naturalWidth === 0) { found.push(page + ": no picture " + image.src); }
  });
}
frame.addEventListener("load", function () {
  if (at > 0) { measure(pages[at - 1]); }
  if (at < pages.length) { frame.src = pages[at++]; return; }
  document.body.setAttribute("data-found", pages.length + " pages: " + found.join("; "));
});
frame.src = pages[at++];
