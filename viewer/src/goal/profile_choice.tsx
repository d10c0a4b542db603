/** Which models draft a plan, and what that costs: chosen, quoted, started. */
import type { ModelProfile, Quote } from "../api/facts.ts";
import type { ModelProfiles } from "../api/plans.ts";

interface ProfileChoiceProps {
  profiles: ModelProfiles;
  chosen: ModelProfile;
  choose: (profile: ModelProfile) => void;
}

export function ProfileChoice({ profiles, chosen, choose }: ProfileChoiceProps) {
  const missing = Object.entries(profiles.unavailable);
  return (
    <fieldset className="profiles">
      <legend>Drafted by</legend>
      {profiles.profiles.map(({ profile, title, summary, models }) => (
        <label key={profile} className="profile">
          <input type="radio" name="profile" value={profile} checked={profile === chosen} onChange={() => choose(profile)} />
          <span>
            <strong>{title}</strong> <code>{profile}</code>
            <small>{summary}</small>
            <small className="muted">{models.map(({ model }) => model).join(", ")}</small>
          </span>
        </label>
      ))}
      {missing.length > 0 && (
        <details className="profiles-missing">
          <summary>
            Not set up here <span className="muted">{missing.map(([profile]) => profile).join(", ")}</span>
          </summary>
          <ul className="bullets">
            {missing.map(([profile, lacking]) => (
              <li key={profile}>
                <strong>{profile}</strong>: {lacking}.
              </li>
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  );
}

export function QuoteFigures({ quote }: { quote: Quote }) {
  const { calls, price_usd, minutes, credits, models } = quote;
  return (
    <dl className="figures quote">
      <div>
        <dt>Model calls</dt>
        <dd>{between(calls)}</dd>
      </div>
      <div>
        <dt>Price</dt>
        <dd>{price_usd ? (price_usd.high === 0 ? "free" : `USD ${between(price_usd, 2)}`) : "not in the price table"}</dd>
      </div>
      <div>
        <dt>Minutes</dt>
        <dd>{between(minutes)}</dd>
      </div>
      {credits !== null && (
        <div>
          <dt>Credits reserved</dt>
          <dd>{credits.toLocaleString("en")}</dd>
        </div>
      )}
      <div>
        <dt>Models</dt>
        <dd className="small">{models.join(", ") || "none"}</dd>
      </div>
    </dl>
  );
}

/** Return a range in words: 60 to 110; one number where it is one. */
export function between({ low, high }: { low: number; high: number }, digits?: number): string {
  const shown = (value: number) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits ?? 1 });
  return shown(low) === shown(high) ? shown(high) : `${shown(low)} to ${shown(high)}`;
}
