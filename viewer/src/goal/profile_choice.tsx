/** Which models draft a plan, and what that costs: chosen, quoted, started. */
import type { Detail, ModelProfile, Quote } from "../api/facts.ts";
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

const DETAILS: { detail: Detail; summary: string }[] = [
  { detail: "brief", summary: "A main document of about 4,000 words, few annexes." },
  { detail: "standard", summary: "A main document of about 10,000 words, all annexes." },
  { detail: "full", summary: "Tasks on level 3 and drafts of documents too." },
];

export function DetailChoice({ chosen, choose }: { chosen: Detail; choose: (detail: Detail) => void }) {
  return (
    <fieldset className="profiles">
      <legend>Detail</legend>
      {DETAILS.map(({ detail, summary }) => (
        <label key={detail} className="profile">
          <input type="radio" name="detail" value={detail} checked={detail === chosen} onChange={() => choose(detail)} />
          <span>
            <strong>{detail[0]?.toUpperCase() + detail.slice(1)}</strong>
            <small>{summary}</small>
          </span>
        </label>
      ))}
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
