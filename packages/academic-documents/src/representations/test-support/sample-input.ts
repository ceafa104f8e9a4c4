import type { RepresentationInput } from '../publication.ts'

/** What a representation is given besides its data. */
export const sampleInput = {
  code: '1234.5678.a1b2c3d4e5f6',
  url: 'https://diplomas.santaaurora.edu.br/verificar/1234.5678.a1b2c3d4e5f6',
  madeAt: new Date('2026-03-05T12:30:15Z'),
  signatories: [
    { name: 'Ana Lúcia de Magalhães Brandão', role: 'Reitora' },
    { name: 'Paulo Henrique Assunção', role: 'Diretor da Escola de Engenharia' },
    { name: 'João Batista Peçanha', role: 'Secretário-Geral' },
  ],
} satisfies Omit<RepresentationInput<never>, 'data'>
