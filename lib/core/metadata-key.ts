/** Limits of metadata, which the API checks and the dashboard's filters follow. */
export const maxKeys = 20;
export const maxKeyLength = 40;
export const maxValueLength = 500;

/** Finds a key anywhere in a text: add `^` and `$` to check a whole text. */
export const metadataKey = new RegExp(`[A-Za-z0-9_.-]{1,${maxKeyLength}}`);
