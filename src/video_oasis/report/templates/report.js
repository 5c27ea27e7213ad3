"use strict";
(() => {
  const MANY_ROWS = 12;

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  const textOf = (row, column) => row.cells[column] ? row.cells[column].textContent.trim() : "";

  function numberOf(text) {
    const found = text.replace(/,/g, "").replace("\u2212", "-").match(/-?\d+(\.\d+)?/);
    return found ? Number(found[0]) : null;
  }

  function compare(first, second, isNumber) {
    if (!isNumber) return first.localeCompare(second, undefined, { numeric: true });
    const [a, b] = [numberOf(first), numberOf(second)];
    if (a === null || b === null) return (a === null) - (b === null);
    return a - b;
  }

  function makeSortable(table) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.hasAttribute("data-plain")) return;
      const isNumber = head.classList.contains("number");
      const orders = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = orders[orders.indexOf(head.getAttribute("aria-sort")) + 1];
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (!now) return body.append(...original);
        head.setAttribute("aria-sort", now);
        const sign = now === "ascending" ? 1 : -1;
        const lacks = (row) => isNumber && numberOf(textOf(row, column)) === null;
        body.append(...[...original].sort((a, b) =>
          lacks(a) || lacks(b)
            ? lacks(a) - lacks(b)
            : sign * compare(textOf(a, column), textOf(b, column), isNumber)));
      });
    });
  }

  function valuesOf(row, column) {
    const items = row.cells[column].querySelectorAll("li");
    return items.length ? [...items].map((item) => item.textContent.trim()) : [textOf(row, column)];
  }

  function makeFilterable(table) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < MANY_ROWS) return;
    const search = make("input", { type: "search", autocomplete: "off" });
    const count = make("span", { className: "count" });
    count.setAttribute("role", "status");
    const bar = make("div", { className: "filters" }, make("label", {}, "Filter ", search));
    const selects = [];
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.hasAttribute("data-choose")) return;
      const values = new Set(rows.flatMap((row) => valuesOf(row, column)).filter(Boolean));
      if (values.size < 2) return;
      const sorted = [...values].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
      const select = make("select", {}, make("option", { value: "" }, "any"),
        ...sorted.map((value) => make("option", { value }, value)));
      selects.push([column, select]);
      bar.append(make("label", {}, head.textContent.trim() + " ", select));
    });
    bar.append(count);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    function apply() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let n = 0;
      rows.forEach((row, number) => {
        const fits = words.every((word) => texts[number].includes(word)) &&
          selects.every(([column, select]) =>
            !select.value || valuesOf(row, column).includes(select.value));
        row.hidden = !fits;
        n += fits;
      });
      count.textContent = `${n} of ${rows.length} rows`;
    }
    bar.addEventListener("input", apply);
    const box = table.closest(".wide");
    box.before(bar);
    apply();
  }

  function reveal() {
    const name = decodeURIComponent(location.hash.slice(1));
    let element = name && document.getElementById(name);
    if (!element) return;
    if (element.tagName === "DETAILS") element.open = true;
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (outer.tagName === "DETAILS") outer.open = true;
    }
    element.scrollIntoView();
  }

  document.querySelectorAll("table.sorts").forEach((table) => {
    makeFilterable(table);
    makeSortable(table);
  });
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((details) => { details.open = true; });
  });
  reveal();
})();
