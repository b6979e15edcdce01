// The picture of a page with its words above it, transparent, so that they can be selected; what is selected can be
// cited. `data`: address, alt, lines ([text, left, top, width, height], in parts of the page), marked (words that are
// to be seen at once), and our words: hint, cite, larger.

const MOST = 300;
const bare = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

// Which lines the marked words run through, also where they go on in the next line.
function found(lines, marked) {
  const wanted = bare(marked);
  if (!wanted) return new Set();
  const owners = [];
  let whole = "";
  lines.forEach(([text], number) => {
    const part = bare(text);
    whole += part;
    for (let place = 0; place < part.length; place += 1) owners.push(number);
  });
  const hits = new Set();
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    for (let place = at; place < at + wanted.length; place += 1) hits.add(owners[place]);
  }
  return hits;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const sheet = parentElement.querySelector(".sheet");
  const image = parentElement.querySelector("img");
  const layer = parentElement.querySelector(".words");
  const cite = parentElement.querySelector(".cite");
  const zoom = parentElement.querySelector(".zoom");
  const chosen = parentElement.querySelector(".chosen");
  const kept = (sheet.kept ??= { page: null, text: "" });

  const say = () => {
    chosen.textContent = kept.text ? `“${kept.text}”` : data.lines.length ? data.hint : "";
    chosen.title = kept.text;
    cite.disabled = !kept.text;
  };
  const fit = () => {
    for (const span of layer.children) {
      span.style.fontSize = `${span.box[3] * layer.clientHeight}px`;
      span.style.transform = "none";
      const width = span.offsetWidth;
      if (width) span.style.transform = `scaleX(${(span.box[2] * layer.clientWidth) / width})`;
    }
  };
  cite.textContent = data.cite;
  zoom.textContent = data.larger;
  image.alt = data.alt;

  const page = JSON.stringify([data.address, data.marked]);
  if (kept.page !== page) {
    kept.page = page;
    kept.text = "";
    image.src = data.address;
    const hits = found(data.lines, data.marked);
    layer.replaceChildren(
      ...data.lines.map(([text, left, top, ...size], number) => {
        const span = document.createElement("span");
        span.textContent = text;
        span.box = [left, top, ...size];
        span.style.left = `${left * 100}%`;
        span.style.top = `${top * 100}%`;
        span.classList.toggle("found", hits.has(number));
        return span;
      }),
    );
    image.onload = () => {
      fit();
      layer.querySelector(".found")?.scrollIntoView({ block: "nearest" });
    };
  }
  say();

  // within a shadow root, Chromium tells the selection of the root, others that of the document
  const root = parentElement.getRootNode();
  const selected = () => (root.getSelection ? root.getSelection() : document.getSelection());
  const look = () => {
    const text = String(selected() ?? "").replace(/\s+/g, " ").trim().slice(0, MOST);
    if (text) kept.text = text;
    say();
  };
  layer.onmouseup = () => setTimeout(look);
  layer.parentElement.parentElement.onkeyup = look;
  cite.onclick = () => {
    if (kept.text) setTriggerValue("cite", kept.text);
  };
  zoom.onclick = () => {
    zoom.setAttribute("aria-pressed", String(sheet.classList.toggle("large")));
  };
  if (!kept.watching) {
    kept.watching = new ResizeObserver(fit);
    kept.watching.observe(image);
  }
}
