import { expect, test } from 'vitest'
import { weaknessOf } from './weak-passwords.ts'

const ana = ['Ana Souza', 'ana.figueira@padaria-aurora.example', 'Padaria Aurora Ltda']

test.each([
  ['senha1234', 'common'],
  ['Senha@2026', 'common'],
  ['s3nh4 123456', 'common'],
  ['password1234', 'common'],
  ['SenhaSegura!', 'common'],
  ['2024Flamengo', 'common'],
  ['admin.admin12', 'repeated'],
  ['root@admin12', 'common'],
  ['Deus é fiel 2026', 'common'],
  ['1234567890', 'sequence'],
  ['123456789012', 'sequence'],
  ['0987654321', 'sequence'],
  ['qwertyuiop!1', 'sequence'],
  ['qwertyuiop', 'sequence'],
  ['abcdef123456', 'sequence'],
  ['aaaaaaaaaa', 'repeated'],
  ['abc-abc-abc-abc', 'repeated'],
  ['casacasacasa1', 'repeated'],
  ['ana.figueira1', 'personal'],
  ['Figueira-2026', 'personal'],
  ['aurora senha 99', 'personal'],
  ['PadariaAurora1', 'personal'],
  ['ana.figueira@padaria-aurora.example', 'personal'],
] as const)('%s is guessed: it is %s', (password, weakness) => {
  expect(weaknessOf(password, ana)).toBe(weakness)
})

test.each([
  'uma senha bem comprida',
  'outra senha longa',
  'verde amor cavalo guitarra',
  'senha-da-vizinha-do-6',
  'senha83726154907',
  'x7#kQ2pLm9',
  'o trem das onze de ontem',
])('%s is taken', (password) => {
  expect(weaknessOf(password, ana)).toBeUndefined()
})

test('what is personal to one is not to another', () => {
  expect(weaknessOf('Figueira-2026')).toBeUndefined()
})
