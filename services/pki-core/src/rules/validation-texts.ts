import type { ValidationItemType } from '../contract/models.ts'
import type { Culture } from './cultures.ts'

/** What a passed check says; the wire has one type for all of them. */
export type PassedCheck = 'possession' | 'validity' | 'signature' | 'revocation' | 'root'

type Texts = Readonly<Record<Exclude<ValidationItemType, 'Success'> | PassedCheck, string>>

const english: Texts = {
  possession: 'The signature was made with the key of the certificate',
  validity: 'The certificate is within its validity period',
  signature: 'The certificate was signed by its issuer',
  revocation: 'The certificate is not revoked',
  root: 'The certificate is a trusted root',
  CertificateNotYetValid: 'The certificate is not valid yet',
  CertificateExpired: 'The certificate has expired',
  CertificateRevoked: 'The certificate was revoked',
  CertificateIssuerNotFound: 'The issuer of the certificate was not found',
  CertificateRevocationStatusUnknown: 'The revocation status of the certificate could not be determined',
  CertificateChainRootNotTrusted: 'The root of the certificate is not trusted',
  InvalidCertificateSignature: 'The certificate was not signed by the issuer it names',
  DecodeError: 'The certificate could not be decoded',
  SignatureAlgorithmValidationFailed: 'The signature was not made with the key of the certificate',
  InvalidKeyUsage: 'The certificate may not be used for this purpose',
  UnauthorizedIssuer: 'The issuer of the certificate is not an authority',
  CertificateIssuerValid: 'The issuer of the certificate is valid',
  CertificateIssuerInvalid: 'The issuer of the certificate is not valid',
  CertificateValidationFailed: 'The certificate failed validation',
  InvalidCertificationPathLen: 'There are more authorities than the issuer allows',
  AlgorithmNotAllowed: 'The algorithm or the key of the certificate is not accepted',
}

const portuguese: Texts = {
  possession: 'A assinatura foi feita com a chave do certificado',
  validity: 'O certificado está dentro do prazo de validade',
  signature: 'O certificado foi assinado pelo seu emissor',
  revocation: 'O certificado não está revogado',
  root: 'O certificado é uma raiz confiável',
  CertificateNotYetValid: 'O certificado ainda não é válido',
  CertificateExpired: 'O certificado está expirado',
  CertificateRevoked: 'O certificado foi revogado',
  CertificateIssuerNotFound: 'O emissor do certificado não foi encontrado',
  CertificateRevocationStatusUnknown: 'Não foi possível determinar se o certificado está revogado',
  CertificateChainRootNotTrusted: 'A raiz do certificado não é confiável',
  InvalidCertificateSignature: 'O certificado não foi assinado pelo emissor que indica',
  DecodeError: 'O certificado não pôde ser decodificado',
  SignatureAlgorithmValidationFailed: 'A assinatura não foi feita com a chave do certificado',
  InvalidKeyUsage: 'O certificado não pode ser usado para esta finalidade',
  UnauthorizedIssuer: 'O emissor do certificado não é uma autoridade',
  CertificateIssuerValid: 'O emissor do certificado é válido',
  CertificateIssuerInvalid: 'O emissor do certificado não é válido',
  CertificateValidationFailed: 'O certificado não passou na validação',
  InvalidCertificationPathLen: 'Há mais autoridades do que o emissor permite',
  AlgorithmNotAllowed: 'O algoritmo ou a chave do certificado não é aceito',
}

const spanish: Texts = {
  possession: 'La firma fue hecha con la clave del certificado',
  validity: 'El certificado está dentro de su período de validez',
  signature: 'El certificado fue firmado por su emisor',
  revocation: 'El certificado no está revocado',
  root: 'El certificado es una raíz de confianza',
  CertificateNotYetValid: 'El certificado todavía no es válido',
  CertificateExpired: 'El certificado está vencido',
  CertificateRevoked: 'El certificado fue revocado',
  CertificateIssuerNotFound: 'No se encontró el emisor del certificado',
  CertificateRevocationStatusUnknown: 'No se pudo determinar si el certificado está revocado',
  CertificateChainRootNotTrusted: 'La raíz del certificado no es de confianza',
  InvalidCertificateSignature: 'El certificado no fue firmado por el emisor que indica',
  DecodeError: 'No se pudo decodificar el certificado',
  SignatureAlgorithmValidationFailed: 'La firma no fue hecha con la clave del certificado',
  InvalidKeyUsage: 'El certificado no puede usarse para esta finalidad',
  UnauthorizedIssuer: 'El emisor del certificado no es una autoridad',
  CertificateIssuerValid: 'El emisor del certificado es válido',
  CertificateIssuerInvalid: 'El emisor del certificado no es válido',
  CertificateValidationFailed: 'El certificado no superó la validación',
  InvalidCertificationPathLen: 'Hay más autoridades de las que permite el emisor',
  AlgorithmNotAllowed: 'El algoritmo o la clave del certificado no se acepta',
}

/** Messages of validation results are localized; messages of errors are not (spec 1 C, Errors). */
export const validationTexts: Readonly<Record<Culture, Texts>> = {
  'en-US': english,
  'pt-BR': portuguese,
  'es-ES': spanish,
}
