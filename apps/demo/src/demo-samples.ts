import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import { buildRemittance, samplePdf, sampleXml } from '@chancela/testkit/samples'

/** Writes files to try the suite with, replacing those of an earlier start. */
export function writeDemoSamples(dataFolder: string, today: Date): void {
  const folder = join(dataFolder, 'demo', 'samples')
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(samples(today))) writeFileSync(join(folder, name), content)
}

const contractLines: Readonly<Record<InterfaceLanguage, readonly string[]>> = {
  'pt-BR': [
    'Contrato de demonstração',
    '',
    'O Hospital Santa Clara, de um lado, e quem assina abaixo, de outro,',
    'combinam experimentar uma assinatura digital do começo ao fim.',
    '',
    '1. Este documento existe apenas nesta demonstração e não obriga ninguém.',
    '2. Quem assina lê o documento, escolhe como assinar e pode recusar.',
    '3. A assinatura prova quem assinou e que nada mudou desde então.',
    '4. Qualquer pessoa confere o resultado, sem pedir licença a ninguém.',
  ],
  'en-US': [
    'Sample contract',
    '',
    'Hospital Santa Clara, on one side, and whoever signs below, on the other,',
    'agree to try a digital signature from its beginning to its end.',
    '',
    '1. This document exists in this demo only and binds nobody.',
    '2. Whoever signs reads the document, chooses how to sign, and may refuse.',
    '3. The signature proves who signed, and that nothing has changed since.',
    '4. Anybody can verify the result, without asking anybody for leave.',
  ],
}

/** A contract of one page. */
export const sampleContract = (language: InterfaceLanguage): Buffer => samplePdf(contractLines[language].join('\n'))

const DAY_MS = 86_400_000

const samples = (today: Date): Record<string, Buffer | string> => ({
  'contrato.pdf': sampleContract('pt-BR'),
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
