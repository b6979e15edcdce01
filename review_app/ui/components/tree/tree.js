// A branch of a JSON document. Each value can be cited, and one that holds more than is shown can be opened.
// `data`: pointer of the branch, root ({name, kind, text, size, children}), and our words cite and open.

const below = (pointer, name) => `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

export default function ({ parentElement, data, setTriggerValue }) {
  const tree = parentElement.querySelector(".tree");
  const page = JSON.stringify([data.pointer, data.root]);
  if (tree.page === page) return;
  tree.page = page;

  const make = (tag, kind, text) => {
    const made = document.createElement(tag);
    made.className = kind;
    made.textContent = text;
    return made;
  };
  const button = (kind, word, pointer) => {
    const made = make("button", kind, word);
    made.type = "button";
    made.setAttribute("aria-label", `${word} ${pointer}`);
    made.onclick = (event) => {
      event.preventDefault(); // a button in a summary would fold it
      setTriggerValue(kind, pointer);
    };
    return made;
  };
  const row = (node, pointer, level) => {
    const line = document.createElement("li");
    const name = make("span", "name", node.name);
    const cite = button("cite", data.cite, pointer);
    if (node.kind === "value") {
      const text = make("span", "plain", "");
      text.append(name, `: ${node.text}`);
      line.append(text, cite);
      return line;
    }
    const size = make("span", "size", node.kind === "list" ? ` [${node.size}]` : ` {${node.size}}`);
    const more = node.size > node.children.length ? [button("open", data.open, pointer)] : [];
    if (!node.children.length) {
      const text = make("span", "plain", "");
      text.append(name, size);
      line.append(text, ...more, cite);
      return line;
    }
    const fold = document.createElement("details");
    fold.open = level === 0 && node.children.length <= 5;
    const head = document.createElement("summary");
    head.append(name, size, ...more, cite);
    fold.append(head, branch(node, pointer, level + 1));
    line.append(fold);
    return line;
  };
  const branch = (node, pointer, level) => {
    const list = document.createElement("ul");
    list.append(...node.children.map((child) => row(child, below(pointer, child.name), level)));
    return list;
  };
  tree.replaceChildren(...branch(data.root, data.pointer, 0).children);
}
