/** `***.456.789-**`, as public bodies show a CPF: mails are read by more people than the console. */
export const maskedCpf = (cpf: string): string => cpf.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**')
