// What representations show, named as the elements of the official layouts are, in camel case. Everything a variant of a
// layout may leave out is optional here, so that one drawing serves all variants.

export interface Municipality {
  readonly codigoMunicipio?: string
  readonly nomeMunicipio?: string
  readonly uf?: string
  readonly nomeMunicipioEstrangeiro?: string
}

export interface Address extends Municipality {
  readonly logradouro?: string
  readonly numero?: string
  readonly complemento?: string
  readonly bairro?: string
  readonly cep?: string
}

export interface EmecProcess {
  readonly numeroProcesso: string | number
  readonly tipoProcesso: string
  readonly dataCadastro?: string
  readonly dataProtocolo?: string
}

/** A regulatory act, or the process in which it is being decided. */
export interface RegulatoryAct {
  readonly informacoesTramitacaoEMEC?: EmecProcess
  readonly tipo?: string
  readonly numero?: string
  readonly data?: string
  readonly veiculoPublicacao?: string
  readonly dataPublicacao?: string
  readonly secaoPublicacao?: string | number
  readonly paginaPublicacao?: string | number
  readonly numeroDOU?: string | number
}

export interface Person {
  readonly id?: string
  readonly nome: string
  readonly nomeSocial?: string
  readonly sexo?: string
  readonly nacionalidade?: string
  readonly naturalidade?: Municipality
  readonly cpf?: string
  readonly rg?: { readonly numero: string; readonly orgaoExpedidor?: string; readonly uf?: string }
  readonly outroDocumentoIdentificacao?: { readonly tipoDocumento: string; readonly identificador: string }
  readonly dataNascimento?: string
}

export interface Institution {
  readonly nome: string
  readonly codigoMEC: string | number
  readonly cnpj?: string
  readonly endereco?: Address
  readonly credenciamento?: RegulatoryAct
  readonly recredenciamento?: RegulatoryAct
  readonly renovacaoDeRecredenciamento?: RegulatoryAct
  readonly atoRegulatorioAutorizacaoRegistro?: RegulatoryAct
  readonly mantenedora?: { readonly razaoSocial: string; readonly cnpj?: string }
}

export interface Course {
  readonly nomeCurso: string
  readonly codigoCursoEMEC?: string | number
  readonly semCodigoCursoEMEC?: EmecProcess
  readonly habilitacao?: readonly { readonly nomeHabilitacao: string; readonly dataHabilitacao?: string }[]
  readonly modalidade?: string
  readonly tituloConferido?: { readonly titulo?: string; readonly outroTitulo?: string }
  readonly grauConferido?: string
  readonly enfase?: readonly string[]
  readonly enderecoCurso?: Address
  readonly polo?: { readonly nome: string }
  readonly autorizacao?: RegulatoryAct
  readonly reconhecimento?: RegulatoryAct
  readonly renovacaoReconhecimento?: RegulatoryAct
}

export interface RegistryBook {
  readonly livroRegistro?: string
  readonly numeroRegistro?: string
  readonly numeroFolhaDoDiploma?: string | number
  readonly numeroSequenciaDoDiploma?: string | number
  readonly processoDoDiploma?: string
  readonly dataColacaoGrau?: string
  readonly dataExpedicaoDiploma?: string
  readonly dataRegistroDiploma?: string
  readonly responsavelRegistro?: { readonly nome: string; readonly idOuNumeroMatricula?: string }
}

/** A degree: what the issuer says, and what the registrar adds. */
export interface DegreeData {
  readonly dadosDiploma: {
    readonly diplomado: Person
    readonly dataConclusao?: string
    readonly dadosCurso: Course
    readonly dadosIesOriginalCursoPTA?: { readonly nome: string }
    readonly iesEmissora: Institution
  }
  readonly dadosRegistro: {
    readonly iesRegistradora: Institution
    readonly livroRegistro: RegistryBook
    readonly informacoesProcessoJudicial?: {
      readonly numeroProcessoJudicial: string
      readonly nomeJuiz: string
      readonly decisao?: string
    }
    readonly informacoesAdicionais?: string
  }
}
