/** The code of a failure → what the owner of the document and its holder read. */
const reasons: Readonly<Record<string, string>> = {
  SIGN_TIMEOUT: 'o tempo da requisição acabou',
  SIGNER_REJECTED: 'o serviço de assinatura recusou a assinatura',
  SIGNER_ERROR: 'o serviço de assinatura não respondeu',
  WORKSTATION_OFFLINE: 'a estação com o certificado estava offline',
  SESSION_EXPIRED: 'a sessão havia terminado',
  CERT_NOT_FOUND: 'o certificado não estava mais disponível',
  CERT_NOT_ACTIVE: 'o certificado não podia mais assinar',
  INTERRUPTED: 'o servidor parou antes da assinatura',
  CLIENT_GONE: 'a aplicação desistiu da requisição',
}

/**
 * Why a document was canceled, as the signature service keeps it and may mail it: people read it, of whom nobody knows
 * the language, so it is in that of the certificates. The account of the failure stays in the log of signatures.
 */
export const cancelReason = (code: string): string =>
  `A assinatura não foi feita: ${reasons[code] ?? 'houve uma falha inesperada'} (${code}).`
