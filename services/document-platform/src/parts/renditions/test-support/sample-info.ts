import type { SignaturesInfo } from '../rendition-info.ts'

/** A concluded document with one of everything. */
export const sampleInfo: SignaturesInfo = {
  documentName: 'Contrato de prestação de serviços de manutenção – Edifício São João, 2ª versão.pdf',
  key: 'K7XQ-4MVD-92TB-HJWP',
  verificationUrl: 'https://documentos.exemplo.com.br/validate/K7XQ4MVD92TBHJWP',
  status: 'Concluded',
  organizationName: 'Construções & Manutenção Água Limpa Ltda.',
  createdBy: 'Integração ERP',
  createdAt: new Date('2026-03-02T12:00:00Z'),
  concludedAt: new Date('2026-03-04T18:31:07Z'),
  originalDigest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  timeZone: 'America/Sao_Paulo',
  generatedAt: new Date('2026-03-05T09:00:00Z'),
  participants: [
    {
      role: 'Signer',
      name: 'MARIA DA CONCEIÇÃO GONÇALVES',
      identifier: '52998224725',
      email: 'maria@exemplo.com.br',
      title: 'Contratante',
      status: 'Completed',
      actedAt: new Date('2026-03-02T13:20:30Z'),
      how: { kind: 'certificate', issuer: 'AC Demonstração RFB v5', serialNumber: '4F00A1B2C3D4' },
      ipAddress: '203.0.113.7',
    },
    {
      role: 'Signer',
      name: 'João Łukasz Ñandú',
      identifier: '12345678909',
      email: 'joao@exemplo.com.br',
      status: 'Completed',
      actedAt: new Date('2026-03-03T02:05:00Z'),
      how: { kind: 'electronic', confirmedBy: 'EmailCode' },
    },
    {
      role: 'Approver',
      name: 'Diretoria Jurídica',
      ruleName: 'Diretores',
      email: 'juridico@exemplo.com.br',
      status: 'Completed',
      actedAt: new Date('2026-03-04T18:31:00Z'),
    },
  ],
  events: [
    { at: new Date('2026-03-02T12:00:00Z'), type: 'Created', actor: 'Integração ERP' },
    { at: new Date('2026-03-02T13:20:30Z'), type: 'Signed', actor: 'MARIA DA CONCEIÇÃO GONÇALVES' },
    { at: new Date('2026-03-03T02:05:00Z'), type: 'Signed', actor: 'João Łukasz Ñandú' },
    { at: new Date('2026-03-04T18:31:00Z'), type: 'Approved', actor: 'Diretoria Jurídica' },
    { at: new Date('2026-03-04T18:31:07Z'), type: 'Concluded' },
  ],
}
