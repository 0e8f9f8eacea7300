// The first number or date that Intl formats makes the browser read the data of all languages, which takes 25 to 90 ms on a computer. A worker
// does that while the page's scripts load, so that it does not block the page (decision 78).
new Intl.NumberFormat("en", { style: "currency", currency: "EUR" }).format(0);
new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "Europe/Berlin" }).format(0);
close();
