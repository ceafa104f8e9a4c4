import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { saveItem } from '../api/lists.ts'
import { type Institute, instituteKinds } from '../api/types.ts'
import { ActFields, AddressFields, registrationActTypes } from '../parts/academic-fields.tsx'
import { type Draft, valueAt } from '../parts/draft.ts'
import { FormEnd } from '../parts/form-end.tsx'
import classes from '../parts/parts.module.css'
import { type DraftForm, useDraftForm } from '../parts/use-draft-form.ts'

export interface InstituteFormProps {
  /** Of the one that is changed; absent for a new one. */
  id?: string
  draft: Draft
  onSaved?: (institute: Institute) => void
}

/** An institution, as the layouts of its documents will show it. */
export function InstituteForm({ id, draft, onSaved }: InstituteFormProps) {
  const { t } = useTranslation('credentials-institutes')
  const form = useDraftForm(
    draft,
    (body) => saveItem<Institute>('institutes', id, body),
    ({ name }) => t('saved', { name }),
  )
  const registers = valueAt(form.draft, 'kind') !== 'Issuer'

  async function submit(event: Parameters<typeof form.submit>[0]) {
    const saved = await form.submit(event)
    if (saved) onSaved?.(saved)
  }

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <IdentityPanel form={form} isNew={id === undefined} />
      <Panel title={t('address.title')} lead={t('address.lead')}>
        <AddressFields form={form} path="data.endereco" />
      </Panel>
      <Panel title={t('acts.title')} lead={t('acts.lead')}>
        <ActFields form={form} path="data.credenciamento" required />
        <ActFields form={form} path="data.recredenciamento" />
        <ActFields form={form} path="data.renovacaoDeRecredenciamento" />
        {registers && (
          <ActFields
            form={form}
            path="data.atoRegulatorioAutorizacaoRegistro"
            types={registrationActTypes}
            mayBeUnderWay={false}
          />
        )}
      </Panel>
      <MaintainerPanel form={form} required={registers} />
      <FormEnd form={form} />
    </form>
  )
}

/** Of one that is there the page begins with what is above: the focus would scroll it down to the form. */
function IdentityPanel({ form, isNew }: { form: DraftForm; isNew: boolean }) {
  const { t } = useTranslation('credentials-institutes')
  return (
    <Panel title={t('identity.title')} lead={t('identity.lead')}>
      <div className={classes.form}>
        <TextInput className={classes.wide!} maxLength={255} required autoFocus={isNew} {...form.field('name')} />
        <NativeSelect
          data={instituteKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          required
          {...form.field('kind')}
        />
        <TextInput inputMode="numeric" maxLength={20} required {...form.field('code')} />
        <TextInput inputMode="numeric" maxLength={18} required {...form.field('cnpj')} />
        <TextInput
          type="url"
          className={classes.wide!}
          maxLength={200}
          required
          description={t('identity.publicUrlHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.field('publicUrl')}
        />
        <Switch
          className={classes.line!}
          label={t('identity.federal')}
          checked={valueAt(form.draft, 'federalSystem') === true}
          onChange={({ currentTarget }) => form.set('federalSystem', currentTarget.checked)}
        />
      </div>
    </Panel>
  )
}

/** A registrar has a maintainer; an issuer may have one. */
function MaintainerPanel({ form, required }: { form: DraftForm; required: boolean }) {
  const { t } = useTranslation('credentials-institutes')
  const problem = form.problemAt('data.mantenedora')
  return (
    <Panel title={t('maintainer.title')} lead={t(required ? 'maintainer.required' : 'maintainer.optional')}>
      {problem && <p className={classes.problem}>{problem}</p>}
      <div className={classes.form}>
        <TextInput
          className={classes.wide!}
          maxLength={255}
          required={required}
          {...form.field('data.mantenedora.razaoSocial')}
        />
        <TextInput inputMode="numeric" maxLength={18} required={required} {...form.field('data.mantenedora.cnpj')} />
      </div>
      <AddressFields form={form} path="data.mantenedora.endereco" />
    </Panel>
  )
}
