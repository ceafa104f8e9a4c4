// Parts of the layouts that institutions and courses have: addresses, and acts of the authorities.
import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { valueAt } from './draft.ts'
import classes from './parts.module.css'
import { Section } from './section.tsx'
import type { DraftForm } from './use-draft-form.ts'
import { useFieldWords } from './use-field-words.ts'

const states = [
  ...['AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MG', 'MS', 'MT', 'PA', 'PB', 'PE', 'PI', 'PR'],
  ...['RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO'],
]

const actTypes = [
  'Parecer',
  'Resolução',
  'Decreto',
  'Portaria',
  'Deliberação',
  'Lei Federal',
  'Lei Estadual',
  'Lei Municipal',
  'Ato Próprio',
]

/** Acts that let an institution register degrees of others. */
export const registrationActTypes = [...actTypes.filter((type) => type !== 'Ato Próprio'), 'Despacho']

const NOT_CHOSEN = { value: '', label: '–' }

export interface PartProps {
  form: DraftForm
  path: string
}

/** An address; a municipality abroad has a name alone. */
export function AddressFields({ form, path }: PartProps) {
  const { t } = useTranslation('credentials-fields')
  const { name } = useFieldWords()
  const field = (key: string) => form.field(`${path}.${key}`)
  const isAbroad = valueAt(form.draft, `${path}.nomeMunicipioEstrangeiro`) !== undefined

  function move(abroad: boolean) {
    const { nomeMunicipioEstrangeiro, codigoMunicipio, nomeMunicipio, uf, ...others } = valueAt(
      form.draft,
      path,
    ) as Record<string, unknown>
    form.set(path, { ...others, ...(abroad && { nomeMunicipioEstrangeiro: '' }) })
  }

  return (
    <Section title={name(path)} problem={form.problemAt(path)}>
      <TextInput className={classes.wide!} maxLength={150} required {...field('logradouro')} />
      <TextInput maxLength={60} {...field('numero')} />
      <TextInput maxLength={60} {...field('complemento')} />
      <TextInput maxLength={60} required {...field('bairro')} />
      <TextInput inputMode="numeric" maxLength={10} required {...field('cep')} />
      {isAbroad ? (
        <TextInput maxLength={255} required {...field('nomeMunicipioEstrangeiro')} />
      ) : (
        <>
          <TextInput maxLength={255} required {...field('nomeMunicipio')} />
          <NativeSelect required data={[NOT_CHOSEN, ...states]} {...field('uf')} />
          <TextInput
            inputMode="numeric"
            maxLength={7}
            required
            description={t('codigoMunicipioHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...field('codigoMunicipio')}
          />
        </>
      )}
      <Switch
        className={classes.line!}
        label={t('abroad')}
        checked={isAbroad}
        onChange={({ currentTarget }) => move(currentTarget.checked)}
      />
    </Section>
  )
}

/** Whether an act is not there, was published, or is under way. */
type ActState = 'none' | 'published' | 'underWay'

const actStates: Readonly<Record<ActState, object | undefined>> = {
  none: undefined,
  published: { tipo: '', numero: '', data: '' },
  underWay: { informacoesTramitacaoEMEC: {} },
}

function stateOf(act: unknown): ActState {
  if (typeof act !== 'object' || act === null) return 'none'
  return 'informacoesTramitacaoEMEC' in act ? 'underWay' : 'published'
}

interface ActProps extends PartProps {
  types?: readonly string[]
  /** Whether there is always one. */
  required?: boolean
  /** Whether it may be under way at the e-MEC. */
  mayBeUnderWay?: boolean
}

/** An act of an authority, or the process at the e-MEC that will lead to one. */
export function ActFields({ form, path, types = actTypes, required = false, mayBeUnderWay = true }: ActProps) {
  const { t } = useTranslation('credentials-fields')
  const { name } = useFieldWords()
  const state = stateOf(valueAt(form.draft, path))
  const offered = (['none', 'published', 'underWay'] as const)
    .filter((one) => !(required && one === 'none'))
    .filter((one) => mayBeUnderWay || one !== 'underWay')
  return (
    <Section title={name(path)} problem={form.problemAt(path)}>
      <NativeSelect
        label={t('act.state')}
        data={offered.map((value) => ({ value, label: t(`act.${value}`) }))}
        value={state}
        onChange={({ currentTarget }) => form.set(path, actStates[currentTarget.value as ActState])}
      />
      {state === 'published' && <PublishedAct form={form} path={path} types={types} />}
      {state === 'underWay' && <ProcessFields form={form} path={`${path}.informacoesTramitacaoEMEC`} />}
    </Section>
  )
}

function PublishedAct({ form, path, types }: Required<Pick<ActProps, 'form' | 'path' | 'types'>>) {
  const field = (key: string) => form.field(`${path}.${key}`)
  return (
    <>
      <NativeSelect required data={[NOT_CHOSEN, ...types]} {...field('tipo')} />
      <TextInput maxLength={60} required {...field('numero')} />
      <TextInput type="date" required {...field('data')} />
      <TextInput maxLength={255} {...field('veiculoPublicacao')} />
      <TextInput type="date" {...field('dataPublicacao')} />
      <TextInput inputMode="numeric" {...field('secaoPublicacao')} />
      <TextInput inputMode="numeric" {...field('paginaPublicacao')} />
      <TextInput inputMode="numeric" {...field('numeroDOU')} />
    </>
  )
}

/** A process at the e-MEC. */
export function ProcessFields({ form, path }: PartProps) {
  const field = (key: string) => form.field(`${path}.${key}`)
  return (
    <>
      <TextInput maxLength={60} required {...field('numeroProcesso')} />
      <TextInput maxLength={255} required {...field('tipoProcesso')} />
      <TextInput type="date" required {...field('dataCadastro')} />
      <TextInput type="date" required {...field('dataProtocolo')} />
    </>
  )
}
