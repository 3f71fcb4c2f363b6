// Moments as people in Japan read them.
import { words } from "./words.js";
import { all } from "./dom.js";

const form = new Intl.DateTimeFormat("en-US", {
  timeZone: "Asia/Tokyo", hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", weekday: "short",
  hour: "2-digit", minute: "2-digit",
});
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function parts(moment) {
  const found = Object.fromEntries(form.formatToParts(moment).map(({ type, value }) => [type, value]));
  return { ...found, weekday: words("weekdays").split(",")[weekdays.indexOf(found.weekday)] };
}

const two = (text) => String(text).padStart(2, "0");

/** `M/d(E) HH:mm` */
export function momentText(moment) {
  const { month, day, weekday, hour, minute } = parts(new Date(moment));
  return `${month}/${day}(${weekday}) ${hour}:${minute}`;
}

/** `HH:mm` */
export function clockText(moment) {
  const { hour, minute } = parts(new Date(moment));
  return `${hour}:${minute}`;
}

/** `2026-11-30` */
export function dayOf(moment) {
  const { year, month, day } = parts(new Date(moment));
  return `${year}-${two(month)}-${two(day)}`;
}

/** What an untitled report of a day is called. */
export function reportTitle(day) {
  const [, month, date] = day.split("-").map(Number);
  return words("daily.title", { month, day: date });
}

/** How long ago it was, where that says more than the date. */
export function agoText(text) {
  const [moment, now] = [Date.parse(text), Date.now()];
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return words("now");
  if (minutes < 60) return words("minutes", { n: minutes });
  if (dayOf(moment) === dayOf(now)) return words("hours", { n: Math.floor(minutes / 60) });
  if (dayOf(moment) === dayOf(now - 86_400_000)) return words("yesterday", { time: clockText(moment) });
  return momentText(moment);
}

function writeTimes() {
  for (const time of all(".row[href^='/threads/'] time")) time.textContent = agoText(time.dateTime);
}

/** Writes how long ago the last thing happened into rows of threads, and does so each minute. */
export function keepTimes() {
  writeTimes();
  setInterval(writeTimes, 60_000);
}
keepTimes.now = writeTimes;
