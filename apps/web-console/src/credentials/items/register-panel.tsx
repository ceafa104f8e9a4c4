import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { act } from '../api/items.ts'
import { FormEnd } from '../parts/form-end.tsx'
import classes from '../parts/parts.module.css'
import { Section } from '../parts/section.tsx'
import { useDraftForm } from '../parts/use-draft-form.ts'

const emptyEntry = { livroRegistro: { responsavelRegistro: {} } }

/** The line of the book of an approved request: with it the degree is made and has to be signed. */
export function RegisterPanel({ id }: { id: string }) {
  const { t } = useTranslation('credentials-items')
  const form = useDraftForm(
    emptyEntry,
    (body) => act('registrations', id, 'registration', body),
    () => t('book.done'),
  )
  const field = (key: string) => form.field(`livroRegistro.${key}`)
  return (
    <Panel title={t('book.title')} lead={t('book.lead')}>
      {/* The browser's own validation messages may be in another language than the page. */}
      <form className={classes.column} onSubmit={(event) => void form.submit(event)} noValidate>
        <Section title={t('book.entry')} problem={form.problemAt('livroRegistro')}>
          <TextInput maxLength={255} {...field('livroRegistro')} label={t('book.book')} />
          <TextInput maxLength={255} {...field('numeroRegistro')} />
          <TextInput maxLength={255} {...field('numeroFolhaDoDiploma')} />
          <TextInput maxLength={255} {...field('numeroSequenciaDoDiploma')} />
          <TextInput maxLength={255} {...field('processoDoDiploma')} />
          <TextInput type="date" required {...field('dataColacaoGrau')} />
          <TextInput type="date" required {...field('dataExpedicaoDiploma')} />
          <TextInput type="date" required {...field('dataRegistroDiploma')} />
        </Section>
        <Section title={t('book.responsible')} problem={form.problemAt('livroRegistro.responsavelRegistro')}>
          <TextInput maxLength={255} required {...field('responsavelRegistro.nome')} />
          <TextInput inputMode="numeric" maxLength={14} required {...field('responsavelRegistro.cpf')} />
          <TextInput maxLength={255} {...field('responsavelRegistro.idOuNumeroMatricula')} />
        </Section>
        <Textarea maxLength={10_000} rows={2} {...form.field('informacoesAdicionais')} />
        <FormEnd form={form} label={t('book.register')} />
      </form>
    </Panel>
  )
}
