// Files of rows, made from the samples.
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { type Caller, readAnswer } from '@chancela/testkit/service-world'
import { vi } from 'vitest'
import { cellsIn } from '../../src/rules/batches/columns.ts'
import { csvCell } from '../../src/rules/batches/file-records.ts'
import type { CredentialWorld } from './credential-world.ts'
import { documentationData, newDegree } from './issuing.ts'

const patient = { interval: 20 }

type Cells = Readonly<Record<string, string>>

/** Lines of cells under the columns that any of them has. */
export function csvOf(rows: readonly Cells[], delimiter = ';'): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [names, ...rows.map((row) => names.map((name) => csvCell(row[name] ?? '')))]
  return `${lines.map((line) => line.join(delimiter)).join('\r\n')}\r\n`
}

const NAME = 'registroReq.dadosDiploma.diplomado.nome'

/** A row of an emission, in the name of a student. */
export const emissionCells = (name: string, more: Cells = {}): Cells => ({
  ...Object.fromEntries(cellsIn(documentationData())),
  [NAME]: name,
  ...more,
})

/** The same of a degree. */
export function degreeCells(name: string, more: Cells = {}): Cells {
  const { registration } = newDegree('x')
  return { ...emissionCells(name), ...Object.fromEntries(cellsIn({ registration })), ...more }
}

/** Sends a file, and gives the answer. */
export const upload = async (
  { call }: Pick<Caller, 'call'>,
  path: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
) => readAnswer(await call('POST', path, { body, headers: { 'content-type': 'text/csv', ...headers } }))

/** The batch once it is over. */
export async function finished({ json }: Pick<Caller, 'json'>, path: string) {
  await vi.waitUntil(async () => (await json('GET', path)).body.finishDate !== null, patient)
  return (await json('GET', path)).body
}

/** Every worker looks for work now, whatever the hour. */
export const lookNow = ({ store }: Pick<CredentialWorld, 'store'>): Promise<void> =>
  store.transaction((tx) => store.notify(tx, LOOK_NOW))
