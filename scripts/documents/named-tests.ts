// The threat model names the test of every answer. A test that was renamed or deleted leaves a promise that nobody keeps.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface NamingProblem {
  readonly line: number
  readonly what: string
}

/** Sets the folder for the names that follow, up to the next such sentence. */
const FOLDER = /Test files are in `([^`]+)`/

/**
 * Rows of tables with a last column `Test` that name no test, or one that is not there. A name is a path without
 * `.test.ts`, from the folder that the text above gives, or from the root of the repository.
 */
export function missingTests(text: string, root: string): NamingProblem[] {
  return testCells(text).flatMap(({ line, folder, cell }) => {
    const names = namesIn(cell)
    if (names.length === 0) return [{ line, what: 'names no test' }]
    return names
      .filter((name) => ![join(folder, name), name].some((path) => existsSync(join(root, `${path}.test.ts`))))
      .map((name) => ({ line, what: `names the test ${name}, which is not there` }))
  })
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

interface TestCell {
  readonly line: number
  readonly folder: string
  readonly cell: string
}

function testCells(text: string): TestCell[] {
  const found: TestCell[] = []
  let folder = ''
  let hasTests = false
  for (const [at, line] of text.split('\n').entries()) {
    folder = FOLDER.exec(line)?.[1] ?? folder
    const last = lastCell(line)
    if (last === undefined) hasTests = false
    else if (last === 'Test') hasTests = true
    else if (hasTests && !/^-+$/.test(last)) found.push({ line: at + 1, folder, cell: last })
  }
  return found
}

/** The last cell of a line of a table; undefined of any other line. */
const lastCell = (line: string): string | undefined => /\|([^|]*)\|$/.exec(line)?.[1]?.trim()
