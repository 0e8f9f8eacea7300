/** The API's sentences for what a field lacks, from the contract's table (section 5). */
export const fieldMessages = {
  required: (field: string) => `The ${field} field is required.`,
  email: (field: string) => `The ${field} must be a valid email address.`,
  url: (field: string) => `The ${field} must be a valid URL.`,
  https: (field: string) => `The ${field} must be https.`,
};

/** Whether a sentence is one of these, about any field. A form says instead what to enter: it does not show the API's names. */
export const isFieldMessage = (sentence: string): boolean =>
  Object.values(fieldMessages).some((message) => {
    const [before = "", after = ""] = message("\n").split("\n");
    return sentence.startsWith(before) && sentence.endsWith(after);
  });
