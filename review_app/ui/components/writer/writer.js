// A text area that hands over what is typed after a short rest, at once when it is left or on Ctrl+Enter, and that
// completes words. State `typed`: the text, and the version that it was typed over. `data`: text and version (a new version replaces what stands there), label, saved, height in
// lines, rest in milliseconds, code, words ([word, note] pairs).

const WORD = /[\p{L}\p{N}_$]+$/u;
const SHOWN = 12;

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const box = parentElement.querySelector("textarea");
  const list = parentElement.querySelector(".words");
  const kept = (box.kept ??= { version: null, timer: 0, sent: null });
  kept.data = data;
  kept.send = (run) => {
    clearTimeout(kept.timer);
    if (box.value !== kept.sent) {
      kept.sent = box.value;
      setStateValue("typed", { text: box.value, over: kept.version });
    }
    if (run) setTriggerValue("run", box.value);
  };
  parentElement.querySelector(".label").textContent = data.label;
  parentElement.querySelector(".saved").textContent = data.saved;
  box.setAttribute("aria-label", data.label);
  box.rows = data.height;
  box.className = data.code ? "code" : "";
  box.spellcheck = !data.code;
  if (kept.version !== data.version) {
    kept.version = data.version;
    // what is being typed at this moment is newer than what the server knows
    if (kept.sent === null || kept.sent === box.value) box.value = data.text;
    kept.sent = box.value;
  }
  if (kept.listening) return;
  kept.listening = true;

  const close = () => {
    list.hidden = true;
    list.replaceChildren();
  };
  const start = () => box.value.slice(0, box.selectionStart).match(WORD)?.[0] ?? "";
  const take = (word) => {
    const before = box.value.slice(0, box.selectionStart);
    let from = before.length - start().length;
    if (word.startsWith('"') && before[from - 1] === '"') from -= 1; // a quote was typed already
    box.setRangeText(word, from, box.selectionStart, "end");
    close();
    box.focus();
    later();
  };
  const later = () => {
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => kept.send(false), kept.data.rest);
  };
  const offer = () => {
    close();
    const begun = start().toLowerCase();
    if (!begun) return;
    const words = kept.data.words ?? [];
    const found = words.filter(([word]) => word.toLowerCase().includes(begun) && word.toLowerCase() !== begun);
    found.sort((a, b) => b[0].toLowerCase().startsWith(begun) - a[0].toLowerCase().startsWith(begun));
    for (const [word, note] of found.slice(0, SHOWN)) {
      const line = document.createElement("li");
      line.setAttribute("role", "option");
      line.textContent = word;
      const small = document.createElement("small");
      small.textContent = note;
      line.append(small);
      line.onmousedown = (event) => {
        event.preventDefault();
        take(word);
      };
      line.dataset.word = word;
      list.append(line);
    }
    const row = box.value.slice(0, box.selectionStart).split("\n").length;
    list.style.top = `${Math.min(row * 1.5 + 0.8, kept.data.height * 1.5)}em`;
    list.hidden = list.childElementCount === 0;
  };
  const chosen = () => list.querySelector('[aria-selected="true"]');
  const move = (step) => {
    const lines = [...list.children];
    const next = (lines.indexOf(chosen()) + step + lines.length) % lines.length;
    lines.forEach((line, place) => line.setAttribute("aria-selected", place === next));
    lines[next].scrollIntoView({ block: "nearest" });
  };
  box.addEventListener("input", () => {
    offer();
    later();
  });
  box.addEventListener("blur", () => {
    close();
    kept.send(false);
  });
  box.addEventListener("keydown", (event) => {
    event.stopPropagation(); // shortcuts of the page are not meant while one types
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      close();
      kept.send(true);
    } else if (list.hidden) {
      return;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Tab" || (event.key === "Enter" && chosen())) {
      event.preventDefault();
      take((chosen() ?? list.firstElementChild).dataset.word);
    } else if (event.key === "Escape") {
      close();
    }
  });
}
