// Search, the menu of a phone, light and dark, and the menu of versions. Works without a server.
(function () {
  "use strict";
  var root = document.body.dataset.root;
  var field = document.getElementById("search");
  var results = document.getElementById("results");
  var entries = null;

  // Called by the index, which is loaded when it is first needed.
  window.trellisIndex = function (list) {
    entries = list.map(function (item) {
      return { address: item[0], title: item[1], heading: item[2], text: item[3], head: (item[1] + " " + item[2]).toLowerCase(),
        body: item[3].toLowerCase() };
    });
    search();
  };

  function load() {
    if (document.getElementById("index") === null) {
      var script = document.createElement("script");
      script.id = "index";
      script.src = root + "search-index.js";
      document.head.append(script);
    }
  }

  // A word at the beginning of one in a heading counts most; each word must be somewhere.
  function score(entry, words) {
    var sum = 0;
    for (var word of words) {
      var at = (" " + entry.head).search(new RegExp("[^\\p{L}\\p{N}]" + word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "u"));
      if (at >= 0) {
        sum += entry.heading === "" || entry.heading === "API" ? 14 : 10;
      } else if (entry.head.includes(word)) {
        sum += 6;
      }
      var count = Math.min(4, entry.body.split(word).length - 1);
      if (at < 0 && count === 0 && !entry.head.includes(word)) {
        return 0;
      }
      sum += count;
    }
    return sum;
  }

  function snippet(entry, words) {
    var line = document.createElement("span");
    var at = entry.body.indexOf(words[0]);
    var start = Math.max(0, at - 50);
    var text = (start > 0 ? "… " : "") + entry.text.slice(start, start + 150) + (entry.text.length > start + 150 ? " …" : "");
    var low = text.toLowerCase(), from = 0;
    for (var found = low.indexOf(words[0]); found >= 0; found = low.indexOf(words[0], from)) {
      line.append(text.slice(from, found));
      var mark = document.createElement("mark");
      mark.textContent = text.slice(found, found + words[0].length);
      line.append(mark);
      from = found + words[0].length;
    }
    line.append(text.slice(from));
    return line;
  }

  function search() {
    var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0;
    if (words.length === 0 || entries === null) {
      return;
    }
    var found = entries.map(function (entry) { return { entry: entry, score: score(entry, words) }; })
      .filter(function (hit) { return hit.score > 0; })
      .sort(function (one, other) { return other.score - one.score; }).slice(0, 20);
    results.replaceChildren();
    if (found.length === 0) {
      var none = document.createElement("p");
      none.textContent = "Nothing found.";
      results.append(none);
    }
    found.forEach(function (hit) {
      var link = document.createElement("a");
      var name = document.createElement("b");
      link.href = root + hit.entry.address;
      name.textContent = hit.entry.title + (hit.entry.heading === "" ? "" : " › " + hit.entry.heading);
      link.append(name, snippet(hit.entry, words));
      results.append(link);
    });
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", function () { load(); search(); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape") {
      results.hidden = true;
    }
  });
  document.addEventListener("click", function (event) {
    if (!results.contains(event.target) && event.target !== field) {
      results.hidden = true;
    }
  });

  document.getElementById("theme").addEventListener("click", function () {
    var style = document.documentElement.dataset;
    var dark = style.theme ? style.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    style.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("trellis-theme", style.theme);
    } catch (e) {
      // Not kept where a browser keeps nothing for files.
    }
  });

  if (matchMedia("(max-width: 860px)").matches) {
    document.querySelector("nav details").removeAttribute("open");
  } else {
    var current = document.querySelector("nav a[aria-current]");
    if (current !== null) {
      var box = document.querySelector("nav details");
      box.scrollTop = current.offsetTop - box.offsetTop - box.clientHeight / 2;
    }
  }

  var version = document.getElementById("version");
  if (version !== null) {
    version.addEventListener("change", function () { location.href = version.value; });
  }
})();
