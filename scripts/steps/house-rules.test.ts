import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { breaches } from './house-rules.mjs'

const trees: string[] = []
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true })
})

/** The breaches in a tree with this one file. */
function saidOf(path: string, text: string): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'house-'))
  trees.push(tree)
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
  return breaches(tree).map((breach) => breach.split(': ')[0]!)
}

const store = 'services/a/src/store/rows.ts'
const rule = 'services/a/src/rules/rule.ts'
// The rule on citations reads this file, too: so the planted text is built from parts.
const [spec, facts] = ['spec', 'facts']

describe('the rules of the house', () => {
  test.each([
    [
      'no-path-into-an-app',
      'services/a/src/index.ts',
      `const pages = new URL('../../../apps/web/dist', import.meta.url)`,
    ],
    ['no-path-into-an-app', 'packages/a/src/x/index.ts', 'const pages = `../../../../apps/web/dist`'],
    ['rules-take-now', rule, 'const today = new Date()'],
    ['rules-take-now', rule, 'const today = Date.now()'],
    ['rules-take-now', rule, 'export async function judge() {}'],
    ['states-change-by-moves', store, `db.updateTable('job').set({ status: 'Failed' })`],
    ['states-change-by-moves', store, `db.updateTable('job').set({ updated_at: at,\n state })`],
    ['states-change-by-moves', store, "const text = `update job set status = 'Failed' where id = ?`"],
    ['states-change-by-moves', store, "const text = `update job set at = $1, state = 'Failed' where id = $2`"],
    ['states-change-by-moves', 'packages/a/src/queue.ts', `jobs(db).set({ state: 'waiting', due_at: at })`],
    ['states-are-expected', store, `const text = \`update job set status = '\${moves.fail.to}' where id = ?\``],
    [
      'states-are-expected',
      store,
      'const text = `update job set at = e.at,\\n state = e.state from e where job.id = e.id`',
    ],
    ['citations-are-noted', store, `// One at a time (${spec} 1 A).`],
    ['citations-are-noted', 'services/a/test/a.test.ts', `// One at a time (a-service ${facts} 1.9).`],
    ['citations-are-noted', 'docs/a.md', `What is not numbered (${facts} 2), or of which document.`],
    ['citations-are-noted', 'docs/spec-notes.md', `### a ${facts} 2\n\nSee ${facts}, some service 2.`],
    ['citations-are-noted', 'docs/spec-notes.md', `### ${spec} 2\n\nSee ${spec} 2, Files 1.`],
    ['citations-are-noted', 'docs/spec-notes.md', `### a ${facts} 1\n\nSee a ${facts} 1 and 2.`],
    ['citations-are-noted', 'docs/spec-notes.md', `### ${spec} 2\n\n/* See ${spec}\n * 3. */`],
  ])('report %s in %s', (name, path, text) => {
    expect(saidOf(path, `// A line before.\n${text}\n`)[0]).toMatch(new RegExp(`^${path}:\\d+ ${name}$`))
  })

  test.each([
    ['a path inside the package', 'services/a/src/index.ts', `new URL('../pages/a', import.meta.url)`],
    ['a time that is given', rule, 'export const end = (now: Date) => new Date(now.getTime() + 1)'],
    ['a comment', rule, '// Whoever calls it may await new Date().'],
    [
      'a state written from its table',
      store,
      `const text = \`update job set status = '\${moves.fail.to}' where id = ? and status in (\${startsOf(moves, 'fail')})\``,
    ],
    ['another change to rows in a state', store, "const text = `update job set due_at = ? where state = 'claimed'`"],
    ['a question about states', store, "const text = `select count(*) from job where state = 'dead'`"],
    ['another column', store, `db.updateTable('job').set({ status_reason: reason, updated_at: at })`],
    ['a test', 'services/a/src/store/rows.test.ts', `db.updateTable('job').set({ status: 'Failed' })`],
    ['what is asked for', store, `db.selectFrom('job').where('status', '=', 'Failed')`],
    ['a citation with its note', 'docs/spec-notes.md', `### ${spec} 2, Files 1\n\nSee ${spec}\n2, Files 1.`],
    ['several in one', 'docs/spec-notes.md', `### a ${facts} 1\n\n### a ${facts} 2.1\n\nSee a ${facts} 1 and 2.1.`],
    ['another specification', 'docs/a.md', 'The specification of JSON, and all facts of it.'],
  ])('accept %s', (_what, path, text) => {
    expect(saidOf(path, text)).toEqual([])
  })
})
