import type { Language } from "@/components/reference/samples";

/** Programs that read every page of a list. */
export const pageTexts = (url: string): Record<Language, string> => ({
  curl: `cursor=
while :; do
  page=$(curl -sS "${url}?per_page=100\${cursor:+&cursor=$cursor}" \\
    -H "Authorization: Bearer $KEY")
  echo "$page"
  cursor=$(echo "$page" | grep -o '"next_cursor":"[^"]*"' | cut -d '"' -f 4)
  [ -n "$cursor" ] || break
done`,
  typescript: `const url = new URL("${url}?per_page=100");
for (;;) {
  const response = await fetch(url, { headers: { Authorization: \`Bearer \${process.env.KEY}\` } });
  if (!response.ok) throw new Error(await response.text());
  const { data, meta } = await response.json();
  for (const link of data) console.log(link._id, link.title);
  if (meta.next_cursor === null) break;
  url.searchParams.set("cursor", meta.next_cursor);
}`,
  python: `import json
import os
import urllib.parse
import urllib.request

parameters = {"per_page": 100}
while True:
    request = urllib.request.Request(
        "${url}?" + urllib.parse.urlencode(parameters),
        headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    )
    with urllib.request.urlopen(request) as response:
        page = json.load(response)
    for link in page["data"]:
        print(link["_id"], link["title"])
    if page["meta"]["next_cursor"] is None:
        break
    parameters["cursor"] = page["meta"]["next_cursor"]`,
  php: `<?php
$parameters = ['per_page' => 100];
do {
    $curl = curl_init('${url}?' . http_build_query($parameters));
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('KEY')],
    ]);
    $response = curl_exec($curl);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new RuntimeException($response ?: curl_error($curl));
    }
    $page = json_decode($response, true);
    foreach ($page['data'] as $link) {
        echo $link['_id'], ' ', $link['title'], "\\n";
    }
    $parameters['cursor'] = $page['meta']['next_cursor'];
} while ($parameters['cursor'] !== null);`,
});
