import { expect, type Locator, type Page } from "@playwright/test";

/** The values of a form's fields, by name. */
export const valuesOf = (form: Locator) =>
  form.evaluate((element: HTMLFormElement) =>
    Array.from(element.elements).flatMap((field) =>
      field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement
        ? [[field.name, field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : field.value]]
        : [],
    ),
  );

/**
 * Sends a form whose request is lost on the way, expects that the form says so and keeps its input, then sends it again
 * with a double click.
 * @param path a glob of the request's address
 * @returns how many requests the double click has sent by now
 */
export async function sendAfterLostRequest(
  page: Page,
  form: Locator,
  button: string,
  path: string,
): Promise<() => number> {
  const typed = await valuesOf(form);
  await page.route(path, (route) => (route.request().method() === "GET" ? route.continue() : route.abort()));
  await form.getByRole("button", { name: button }).click();
  await expect(form.getByRole("alert").first()).toContainText("could not be reached");
  expect(await valuesOf(form)).toEqual(typed);
  await page.unrouteAll({ behavior: "wait" });
  let sent = 0;
  await page.route(path, (route) => {
    if (route.request().method() !== "GET") sent++;
    return route.continue();
  });
  await form.getByRole("button", { name: button }).dblclick();
  return () => sent;
}
