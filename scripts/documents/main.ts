import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deadLinks } from './dead-links.ts'
import { generatedDocuments } from './generated-documents.ts'

const root = join(import.meta.dirname, '../..')
const checkOnly = process.argv.includes('--check')

function write(): number {
  for (const [path, text] of documents()) writeFileSync(join(root, path), text)
  return 0
}

/** Says everything that is wrong at once. */
function check(): number {
  const drifted = documents().filter(([path, text]) => textOf(path) !== text)
  for (const [path] of drifted) console.error(`${path} drifts from its source: run npm run docs.`)
  const dead = deadLinks(root)
  for (const { file, link } of dead) console.error(`${file} links to ${link}, which is not there.`)
  return drifted.length + dead.length > 0 ? 1 : 0
}

const documents = (): [string, string][] => Object.entries(generatedDocuments).map(([path, make]) => [path, make()])

const textOf = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined)

process.exitCode = checkOnly ? check() : write()
