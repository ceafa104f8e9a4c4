import { expect, test } from 'vitest'
import { representCurriculum } from './curriculum.ts'
import { sampleCurriculum } from './samples/sample-curriculum.ts'
import { pageTexts, qrTextOf } from './test-support/judges.ts'
import { brokenClauses } from './test-support/pdf-a-clauses.ts'
import { sampleInput } from './test-support/sample-input.ts'

const curriculum = (data = sampleCurriculum, template?: unknown) =>
  representCurriculum({ ...sampleInput, data, template })

test('a curriculum shows its units by area, with labels by name, and its criteria', async () => {
  const text = (await pageTexts(curriculum())).join(' ')
  const said = [
    'Núcleo de conteúdos básicos EP100 Cálculo Diferencial e Integral I Disciplina 1ª 60 h/a 50 h Obrigatória',
    'Núcleo de conteúdos profissionalizantes',
    'Obrigatória, Extensão',
    'C1 Disciplina · etiqueta Obrigatória 2600 h',
    'C3 Soma de C1 + C2 3600 h',
    'Iniciação científica e eventos (até 80 h)',
    'AC07 Congresso: participação com ou sem trabalho 24 h',
  ]
  for (const part of said) expect(text).toContain(part)
})

test('a curriculum is PDF/A, the same bytes each time, with a QR code at its end', async () => {
  const pdf = curriculum()
  expect(pdf.equals(curriculum())).toBe(true)
  expect(await brokenClauses(pdf)).toEqual([])
  expect(await qrTextOf(pdf, (await pageTexts(pdf)).length)).toBe(sampleInput.url)
})
