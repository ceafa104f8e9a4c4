import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// The services' tests named client.test.ts run them against the services themselves.
test('the examples of the README are the files of the folder, word by word', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const shown = [...readme.matchAll(/^```ts\n\/\/ examples\/(\S+)\n/gm)].map(([, name]) => name!)
  const examples = new URL('../examples/', import.meta.url)
  expect(shown.sort()).toEqual(readdirSync(examples).sort())
  for (const name of shown) {
    const code = readFileSync(new URL(name, examples), 'utf8')
    expect(readme).toContain(`\`\`\`ts\n// examples/${name}\n${code}\`\`\`\n`)
  }
})
