/** `rest`: the parts of the address after the section's name, such as the id of a booking. */
export type SectionProps = { readonly rest: readonly string[] }
