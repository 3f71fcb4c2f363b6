// Findings: by day, by words, by author; and what is nowhere.
import { frame, isReady } from "./frame.js";

await frame();
isReady();
