// The page's words in its language, from the same table that the gateway reads.
export const language = document.documentElement.lang;
const table = (await import(`./words-${language}.js`)).default;

/** A text by its name, with `{name}` replaced by its value. */
export function words(name, values = {}) {
  return Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value), table[name] ?? name);
}

/** A count, its digits in groups of three; a dash where it is not known. */
export const count = (value) => value === null || value === undefined ? "–" : value.toLocaleString("en-US");
