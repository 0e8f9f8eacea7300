import type { Language } from "@/components/reference/samples";

/** Programs whose request lacks fields, and that show what the response says about it. */
export const failureTexts = (url: string): Record<Language, string> => ({
  curl: `curl -i -X POST '${url}' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.com", "amount": "1050" }'`,
  typescript: `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.KEY}\`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ email: "ada@example.com", amount: "1050" }),
});
const body = await response.json();
if (response.ok) console.log(body.data);
else if (response.status === 422) console.log("Correct these fields:", body.errors);
else console.log(body.code, body.message, response.headers.get("X-Request-Id"));`,
  python: `import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    "${url}",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps({"email": "ada@example.com", "amount": "1050"}).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["data"])
except urllib.error.HTTPError as error:
    body = json.load(error)
    if error.code == 422:
        print("Correct these fields:", body["errors"])
    else:
        print(body["code"], body["message"], error.headers["X-Request-Id"])`,
  php: `<?php
$curl = curl_init('${url}');
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => 'POST',
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode(['email' => 'ada@example.com', 'amount' => '1050']),
]);
$response = curl_exec($curl);
if ($response === false) {
    throw new RuntimeException(curl_error($curl));
}
$body = json_decode($response, true);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
if ($status === 200) {
    print_r($body['data']);
} elseif ($status === 422) {
    echo 'Correct these fields: ';
    print_r($body['errors']);
} else {
    echo $body['code'], ' ', $body['message'];
}`,
});
