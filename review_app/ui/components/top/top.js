// Begins a step at its top: the framework keeps the place on the page where the last step's button was.
// `data`: the step; another one scrolls, the same one does not.

export default function ({ parentElement, data }) {
  const mark = parentElement.querySelector(".top");
  if (mark.step === data.step) return;
  mark.step = data.step;
  document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
}
