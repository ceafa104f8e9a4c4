// XML names and the names under which the same thing is given as JSON: the XML name with a small first letter. Names that
// begin with an abbreviation, or hold an underscore, would read badly that way and are listed.

const spelled = {
  ID: 'id',
  RG: 'rg',
  UF: 'uf',
  CPF: 'cpf',
  CEP: 'cep',
  CNPJ: 'cnpj',
  ENADE: 'enade',
  IESEmissora: 'iesEmissora',
  IESRegistradora: 'iesRegistradora',
  CPFDetentor: 'cpfDetentor',
  IDouNumeroMatricula: 'idOuNumeroMatricula',
  URLXMLdoDiplomado: 'urlXmlDoDiplomado',
  URLRVDD: 'urlRvdd',
  URLXMLdeRegistroAcademico: 'urlXmlDeRegistroAcademico',
  ID_Indisponivel: 'idIndisponivel',
} as const

type Spelled = typeof spelled

/** The JSON name of an XML name. */
export type KeyOf<Name extends string> = Name extends keyof Spelled
  ? Spelled[Name]
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Uncapitalize<Head>}${Tail}`
    : Uncapitalize<Name>

export function keyOf(name: string): string {
  if (Object.hasOwn(spelled, name)) return spelled[name as keyof Spelled]
  const joined = name.replace('_', '')
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}
