"""Measures the contrast of texts as WCAG defines it."""

from tests.browser.page import Page

_FAINT = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (...colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) =>
      v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const ground = (e) => getComputedStyle(e).backgroundColor;
  const grounds = (e) => (e ? [...grounds(e.parentElement), ground(e)] : []);
  const words = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const weak = (e) => {
    const under = ["white", ...grounds(e)];
    const pair = [light(over(...under)), light(over(...under, getComputedStyle(e).color))];
    return Math.max(...pair) / Math.min(...pair) < 4.5;
  };
  return [...document.querySelectorAll("%s *")]
    .filter((e) => words(e) && e.getClientRects().length && !e.disabled && weak(e))
    .map((e) => `${e.className} ${e.textContent}`);
})()"""


def faint(page: Page, selector: str) -> list[str]:
    """The texts inside the elements of a selector with a contrast below 4.5 to 1."""
    texts: list[str] = page.value(_FAINT % selector)
    return texts
