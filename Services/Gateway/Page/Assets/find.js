// Findings: by day, by words, by author; and what is nowhere.
import { frame } from "./frame.js";

await frame();
