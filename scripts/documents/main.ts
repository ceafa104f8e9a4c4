import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deadLinks } from './dead-links.ts'
import { generatedDocuments } from './generated-documents.ts'
import { missingTests } from './named-tests.ts'

const THREATS = 'docs/security.md'

const root = join(import.meta.dirname, '../..')
const checkOnly = process.argv.includes('--check')

async function write(): Promise<number> {
  for (const [path, text] of await documents()) writeFileSync(join(root, path), text)
  return 0
}

/** Reports all problems at once. */
async function check(): Promise<number> {
  const drifted = (await documents()).filter(([path, text]) => textOf(path) !== text)
  for (const [path] of drifted) console.error(`${path} drifts from its source: run npm run docs.`)
  const dead = deadLinks(root)
  for (const { file, link } of dead) console.error(`${file} links to ${link}, which is not there.`)
  const missing = missingTests(textOf(THREATS) ?? '', root)
  for (const { line, what } of missing) console.error(`${THREATS}:${line} ${what}.`)
  return drifted.length + dead.length + missing.length > 0 ? 1 : 0
}

const documents = (): Promise<[string, string][]> =>
  Promise.all(Object.entries(generatedDocuments).map(async ([path, make]) => [path, await make(path)]))

const textOf = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined)

process.exitCode = await (checkOnly ? check() : write())
