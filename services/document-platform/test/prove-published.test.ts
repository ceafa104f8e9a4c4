// The table of the models of public clients, held against the list it was made from. The list is not part of this
// repository: `npm run prove:published` says where it is looked for.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fieldsOf, otherEnumerations, requestEnumerations, requestModels } from './test-support/client-models.ts'

const facts = new URL('../../../../shared/facts/document-platform-models.md', import.meta.url)

/** The rows of the two tables of the facts: enumerations, then models. */
function listed() {
  const rows = [...readFileSync(facts, 'utf8').matchAll(/^\| (\w+) \| (.+) \|$/gm)]
    .map(([, name, text]) => [name!, text!] as const)
    .filter(([name]) => name !== 'Name' && name !== 'Model')
  return {
    models: rows.filter(([, text]) => text.includes(': ')),
    enumerations: rows.filter(([, text]) => !text.includes(': ')),
  }
}

const sorted = (text: string): readonly string[] =>
  fieldsOf(text)
    .map(({ name, type, isList }) => `${name}: ${type}${isList ? '[]' : ''}`)
    .sort()

test('the table of what public clients can send is what the list of facts says', () => {
  const { models, enumerations } = listed()
  expect(models.length).toBeGreaterThan(80)
  const known = new Map(models)
  for (const [model, text] of Object.entries(requestModels))
    expect([model, sorted(text)]).toEqual([model, sorted(known.get(model) ?? ': ')])
  // A multipart form is no JSON: the tests of uploads send it as each client does.
  const requests = models
    .map(([model]) => model)
    .filter((model) => /(?:Request|Data|CreateModel|EditModel|UploadModel)$/.test(model))
  expect(requests.filter((model) => !Object.hasOwn(requestModels, model))).toEqual([])
  const values = Object.fromEntries(enumerations)
  for (const [name, text] of Object.entries(requestEnumerations)) expect([name, values[name]]).toEqual([name, text])
  expect(Object.keys(values).sort()).toEqual([...Object.keys(requestEnumerations), ...otherEnumerations].sort())
})
