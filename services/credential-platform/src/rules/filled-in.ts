// Fields of the layouts that the platform fills in itself: callers who give them are refused by their names, and forms do
// not ask for them.

export const filledIn = {
  curriculum: ['iesEmissora', 'segurancaCurriculo'],
  transcript: ['iesEmissora', 'segurancaHistorico'],
  request: ['id'],
  degreeData: ['id', 'iesEmissora'],
  registration: ['id', 'iesRegistradora', 'idDocumentacaoAcademica', 'seguranca'],
} as const
