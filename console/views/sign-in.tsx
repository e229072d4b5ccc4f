export function SignIn(_: { readonly parameters?: Readonly<Record<string, string>> }) {
  return <p>SignIn</p>;
}
