import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFiles } from './source-files.mjs'

/**
 * What a linter of imports does not see. A pattern finds what breaks the rule; tests may do all of it.
 * @typedef {{ readonly name: string, readonly places: readonly string[], readonly pattern: RegExp, readonly why: string }} HouseRule
 */

/** @type {readonly HouseRule[]} */
const houseRules = [
  {
    name: 'no-path-into-an-app',
    places: ['packages/*/src', 'services/*/src'],
    pattern: /['"`](?:\.\.\/)+apps\//g,
    why: 'A service or package finds what it needs in its own package: apps stand above it.',
  },
  {
    name: 'addresses-with-accents',
    places: ['apps/*/src', 'packages/*/src', 'services/*/src'],
    pattern: /\bURL\.canParse\b/g,
    why: 'Called often, Node 20 refuses addresses with accents: readUrl of the kernel reads them.',
  },
  {
    name: 'rules-take-now',
    places: ['services/*/src/rules'],
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bawait\s|\basync\s/g,
    why: 'A rule is told the time and waits for nothing: what does either is an action.',
  },
  {
    name: 'states-change-by-moves',
    places: ['packages/*/src', 'services/*/src'],
    pattern: /\.set\(\s*\{[^}]*\b(?:status|state)\s*[:,}]|\bset\s+(?:[^`;]*?,\s*)?(?:status|state)\s*=\s*'(?!\$\{)/g,
    why: "A state changes through its table of moves: move() or moving() of the kernel's store, or a statement written from the table.",
  },
  {
    name: 'states-are-expected',
    places: ['packages/*/src', 'services/*/src'],
    pattern:
      /`[^`]*\bset\s(?:(?:(?!\bwhere\b)[^`])*?[\s,])?(?:status|state)\s*=(?![^`]*\bwhere\b[^`]*\b(?:status|state)\b)[^`]*`/g,
    why: 'A statement that changes a state names in its where the states it may start from: of two callers one wins.',
  },
]

/** @param {string} path */
const isProduct = (path) => path.endsWith('.ts') && !/\.test\.ts$|\/test-support\//.test(path)

/** Each breach as `path:line rule: why`.
 * @param {string} root @returns {string[]} */
export const breaches = (root) => [
  ...houseRules.flatMap((rule) =>
    [...sourceFiles(root, rule.places, isProduct).keys()].flatMap((path) => breachesIn(root, path, rule)),
  ),
  ...lostCitations(root),
]

/** @param {string} root @param {string} path @param {HouseRule} rule */
function breachesIn(root, path, { name, pattern, why }) {
  const text = withoutComments(readFileSync(join(root, path), 'utf8'))
  return [...text.matchAll(pattern)].map(({ index }) => `${path}:${lineOf(text, index)} ${name}: ${why}`)
}

/** @param {string} text @param {number} index */
const lineOf = (text, index) => text.slice(0, index).split('\n').length

/** The same lines with comments blanked: a sentence may say "await" or "set status".
 * @param {string} text */
const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ''))

const NOTES = 'docs/spec-notes.md'

const citingPlaces = ['apps', 'bench', 'deploy', 'docs', 'packages', 'scripts', 'services'].concat(
  ['ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'README', 'SECURITY'].map((name) => `${name}.md`),
)

/** A paragraph of the specification (document, part, section, rule), or one or more of a service's facts. */
const CITATION =
  /\b(?:[Ss]pec(?:ification)? +\d(?: +[A-C]\b)?(?:, +[A-Z][a-z]+(?: +\d+)?)?|(?:([a-z]+(?:-[a-z]+)*) +)?[Ff]acts(?:, +\w+ +\w+|,)? +([A-Z]?\d+(?:\.\d+)*(?:(?:,| +and| +to) +\d+(?:\.\d+)*)*))/g

/** The cited texts are not in the repository: the notes must have each citation.
 * @param {string} root @returns {string[]} */
function lostCitations(root) {
  const notes = existsSync(join(root, NOTES)) ? readFileSync(join(root, NOTES), 'utf8') : ''
  const headings = new Set([...notes.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading))
  const paths = sourceFiles(root, citingPlaces, (path) => /\.(?:tsx?|mjs|md)$/.test(path)).keys()
  return [...paths].flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return citationsIn(text)
      .filter(({ heading }) => !headings.has(heading))
      .map(({ index, heading }) => `${path}:${lineOf(text, index)} citations-are-noted: no "${heading}" in ${NOTES}`)
  })
}

/** Citations, each as the heading it refers to. One may continue in the next line of its comment.
 * @param {string} text */
const citationsIn = (text) =>
  [...text.replace(/\n[ \t]*(?:\/\/|\*)?/g, (gap) => ' '.repeat(gap.length)).matchAll(CITATION)].flatMap(
    ({ index, 0: whole, 1: source, 2: numbers }) =>
      (numbers?.split(/,| and | to /) ?? [undefined]).map((number) => ({
        index,
        heading: number ? `${source ?? '…'} facts ${number.trim()}` : whole.replace(/ +/g, ' ').replace(/^S/, 's'),
      })),
  )
