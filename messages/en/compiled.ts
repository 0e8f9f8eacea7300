import en from "./index";

/** In the browser and in its HTML these are the compiled texts (messages/compile-loader.mjs). */
export default en;
