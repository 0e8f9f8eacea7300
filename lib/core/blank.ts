/** Whether a text shows nothing: white space, and characters that no font draws, such as zero-width spaces. */
export const isBlank = (text: string): boolean =>
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]*$/u.test(text);
