import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildRemittance, samplePdf, sampleXml } from '@chancela/testkit/samples'

/** Writes files to try the suite with; those of a former start are replaced. */
export function writeDemoSamples(dataFolder: string, today: Date): void {
  const folder = join(dataFolder, 'demo', 'samples')
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(samples(today))) writeFileSync(join(folder, name), content)
}

const DAY_MS = 86_400_000

const samples = (today: Date): Record<string, Buffer | string> => ({
  'contrato.pdf': samplePdf('Contrato de demonstração'),
  'nota.xml': sampleXml(),
  'aviso.txt': 'Um aviso que só o destinatário lê.\n',
  // Payments of next week: a remittance whose date has passed is refused.
  'remessa.rem': buildRemittance({
    payments: [
      { amountCentavos: 125_000, paymentDate: isoDay(today, 7), payeeName: 'PADARIA AURORA LTDA' },
      { amountCentavos: 48_990, paymentDate: isoDay(today, 9), payeeName: 'COOPERATIVA IPE' },
    ],
  }),
})

const isoDay = (today: Date, daysOn: number): string =>
  new Date(today.getTime() + daysOn * DAY_MS).toISOString().slice(0, 10)
