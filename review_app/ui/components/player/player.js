// Plays a video from our own address, hands over the moment that is to be cited, and saves a frame as a picture.
// `data`: address, name, seek (seconds), tracks (captions), opened (a number that changes with each link), cite and frame (words).

const two = (number) => String(number).padStart(2, "0");
const clock = (tenths) => {
  const seconds = Math.floor(tenths / 10);
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${tenths % 10}`;
};

const trackOf = (about) => {
  const track = document.createElement("track");
  Object.assign(track, { kind: about.kind, src: about.src, srclang: about.srcLang, label: about.label });
  track.default = about.default;
  return track;
};

export default function ({ parentElement, data, setTriggerValue }) {
  const video = parentElement.querySelector("video");
  const time = parentElement.querySelector(".time");
  const cite = parentElement.querySelector(".cite");
  const frame = parentElement.querySelector(".frame");
  const tenths = () => Math.round(video.currentTime * 10);
  if (video.getAttribute("src") !== data.address) {
    video.src = data.address;
    video.replaceChildren(...data.tracks.map(trackOf));
  }
  cite.textContent = data.cite;
  frame.textContent = data.frame;
  video.setAttribute("aria-label", data.name);
  video.ontimeupdate = () => {
    time.textContent = clock(tenths());
  };
  cite.onclick = () => setTriggerValue("cite", tenths());
  frame.onclick = () => {
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d").drawImage(video, 0, 0);
    canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${data.name}-${clock(tenths()).replaceAll(":", "-")}.png`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  };
  if (video.dataset.opened !== String(data.opened)) {
    video.dataset.opened = String(data.opened);
    if (data.opened) video.currentTime = data.seek;
  }
}
