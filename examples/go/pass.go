package main

// One gate pass, its stations and exits: spec/pass.md. This is the gate; seats.go says what it
// asks, and script.go plugs a script into its seats.

// passEnd is how a pass ended. final is the gate's own copy of the input that the exit decided on.
type passEnd struct {
	result     string // allow, deny, suspended or defect
	record     *outcome
	final      any
	parkFailed bool
}

// pass is one run of the gate over one call.
type pass struct {
	host
	book  ledger
	input any  // as it stands
	ask   *ask // the question that stands over an allow, if any
	round int  // of edits

	hookAsked        *question // PASS-15, PASS-35
	hookAllowed      bool
	policyRewrote    bool
	boundaryDeclined bool // PASS-27
	onlyPerson       bool // PASS-17, PASS-20
	noArm            bool // PASS-19
	parkFailed       bool

	facts facts
}

// end is nil while the pass goes on.
type end = *passEnd

// runPass reads each binding off the host once, by copying it (PASS-03), and takes its own copy of
// the arguments (PASS-02).
func runPass(h *host, callID string, args any) passEnd {
	p := &pass{host: *h, book: ledger{call: callID}}
	input, err := clone(args)
	if err != nil {
		return *p.deny("policy") // PASS-01
	}
	p.input = input
	// PASS-14: the first end is final
	stations := []func() end{p.screen, p.readLocks, p.adjudicate, p.fold, p.askOrg, p.arms, p.deciders,
		p.content, p.resolve}
	for _, station := range stations {
		if ended := station(); ended != nil {
			return *ended
		}
	}
	return *p.allow()
}

// shown is the copy of the input that a seat is handed (PASS-02).
func (p *pass) shown() any { return mustCopy(p.input) }

// tighten puts a question over an allow; over an ask it changes nothing (PASS-22).
func (p *pass) tighten(origin string, q question) {
	if p.ask == nil {
		p.ask = &ask{origin, q.Classes, q.Real}
	}
}

func (p *pass) screen() end {
	if p.screening == nil {
		return nil
	}
	said := p.screening(p.shown())
	p.hookAllowed = said.say == "allow"
	switch said.say {
	case "none", "allow":
	case "ask":
		p.hookAsked = &said.question
	case "deny":
		return p.deny("hook") // PASS-05
	default:
		return p.deny("engine") // PASS-04
	}
	p.input = said.rewrite.or(p.input) // PASS-06
	return nil
}

func (p *pass) readLocks() end {
	for _, lock := range p.locks {
		if layer := lock(p.shown()); layer != "" {
			return p.deny(layer) // PASS-07, PASS-08
		}
	}
	return nil
}

// adjudicate asks the policy, about the call and about each edit (PASS-09, PASS-47).
func (p *pass) adjudicate() end {
	if p.policy == nil {
		return nil
	}
	said := p.policy(p.shown())
	if said.rewrite.there { // PASS-12
		p.input, p.policyRewrote = said.rewrite.or(nil), true
	}
	if said.say != "allow" && said.say != "ask" && said.say != "deny" {
		return p.deny("policy") // PASS-10
	}
	read := p.book.decided(said.say, said.record, digest(p.input)) // PASS-11
	if round := p.book.classifierRoundOf(&said.classified); round != nil {
		p.facts.Classifier = round // PASS-13
	}
	switch read.decision {
	case "deny":
		p.facts.Cause = p.book.causeOf(said.say, &said.classified) // PASS-13
		return p.deny(read.deniedBy)
	case "ask":
		p.tighten("policy", said.question)
	}
	return nil
}

// fold lets the stations tighten what the policy allowed. A mandate is of the call, and so holds of
// whichever ask then stands.
func (p *pass) fold() end {
	if p.hookAsked != nil {
		p.tighten("hook", *p.hookAsked) // PASS-15
	}
	if p.probe != nil {
		found := p.probe(p.shown())
		p.boundaryDeclined = found.BoundaryDeclined
		if found.Say != "reversible" {
			p.tighten("probe", found.Question) // PASS-16, PASS-17
		}
		p.onlyPerson = found.Say == "unanswered" // PASS-17
	}
	if p.readStation != nil {
		found := p.readStation(p.shown())
		if found.Question != nil {
			p.tighten("read_station", *found.Question) // PASS-18
		}
		p.onlyPerson = p.onlyPerson || found.TargetUnresolved // PASS-20
		p.noArm = found.WriteProtected                        // PASS-19
	}
	if p.writeProtection != nil {
		if found := p.writeProtection(p.shown()); found.Say == "match" {
			p.tighten("write_protection", found.Question)
			p.noArm = true // PASS-19
		}
	}
	if p.unstated != nil {
		p.tighten("unstated", p.unstated(p.shown())) // PASS-21
	}
	if p.ask != nil {
		p.book.supersede() // PASS-23
	}
	return nil
}

func (p *pass) askOrg() end {
	if p.org == nil {
		return nil
	}
	said := p.org(p.shown())
	if said.Say == "deny" {
		return p.deny("org") // PASS-24
	}
	p.tighten("org", said.Question) // PASS-25
	p.book.supersede()              // an ask stands: LED-22
	return nil
}

func (p *pass) mandated() bool { return p.onlyPerson || p.noArm }

// arms are the automatic ones: none of them clears an ask that is mandated.
func (p *pass) arms() end {
	switch {
	case p.ask == nil, p.mandated():
	case p.storedRules != nil && p.storedRules(p.shown()), // PASS-26
		p.readOnly != nil && !p.boundaryDeclined && p.readOnly(p.shown()), // PASS-27
		p.hookAllowed && !p.policyRewrote:                                 // PASS-28
		p.ask = nil
	}
	return nil
}

// deciders are asked about an ask that still stands.
func (p *pass) deciders() end {
	if p.ask != nil && p.classifier != nil {
		said := p.classifier(p.shown())
		if said.Round != nil {
			p.facts.Classifier = said.Round // PASS-31
		}
		switch said.Say {
		case "allow":
			if !p.onlyPerson {
				p.ask = nil // PASS-29: over a write-protected target too, for it is a live decider
			}
		case "deny":
			return p.deny("classifier") // PASS-29
		default:
			p.facts.Cause = said.Say // PASS-30
			return p.deny("classifier")
		}
	}
	if p.ask != nil && p.mode != nil {
		said := p.mode(p.shown())
		if said.Say == "refuse" {
			p.facts.ModeRefusal = &said.Word // PASS-33: of a mandated ask too
			return p.deny("mode")
		}
		if !p.mandated() { // PASS-34
			p.facts.Released = &said.Word // PASS-32
			p.ask = nil
		}
	}
	if p.ask != nil && p.sandbox != nil && !p.mandated() && p.hookAsked == nil && p.sandbox(p.shown()) {
		p.ask = nil // PASS-34, PASS-35
	}
	return nil
}

func (p *pass) content() end {
	if p.ask != nil && p.unshown != nil && p.unshown(p.shown()) {
		return p.refuse("unshown_content") // PASS-36
	}
	return nil
}

// resolve puts the ask that stands to the resolver, and the question of each edit anew, until an
// allow stands or the pass ends.
func (p *pass) resolve() end {
	for p.ask != nil {
		if p.park != nil {
			if p.park(p.shown()) {
				return &passEnd{result: "suspended"} // PASS-37
			}
			p.parkFailed = true // PASS-38
		}
		if p.resolver == nil {
			return p.refuse("unavailable") // PASS-39
		}
		asked := *p.ask
		asked.real = asked.real || p.onlyPerson // PASS-41, PASS-42
		said := p.resolver(p.shown(), asked)
		if said.say != "allow" && said.say != "deny" && said.say != "retired" {
			return p.refuse("approver_contract") // PASS-44
		}
		r := resolution{decision: said.say, record: said.record, retired: said.say == "retired"}
		if said.edit.there {
			r.edited = digest(said.edit.value)
		}
		read, ok := p.book.resolved(r, asked, digest(p.input)) // PASS-40
		switch {
		case !ok:
			return p.defect() // PASS-43
		case read.decision == "deny":
			return p.deny(read.deniedBy)
		}
		p.ask = nil
		if said.edit.there {
			if ended := p.edited(said.edit.or(nil)); ended != nil {
				return ended
			}
		}
	}
	return nil
}

// edited takes what a resolver said yes to in the place of what it was asked about, and has it
// screened, adjudicated and judged again. It may leave an ask.
func (p *pass) edited(input any) end {
	if p.round++; p.round > p.editCap {
		return p.deny("edit_cap") // PASS-50
	}
	p.input = input
	var hookAsks *question
	if p.screening != nil { // PASS-45
		said := p.screening(p.shown())
		switch said.say {
		case "none", "allow":
		case "ask":
			hookAsks = &said.question
		default:
			return p.deny("hook_rescreen") // PASS-46
		}
		p.input = said.rewrite.or(p.input)
	}
	if ended := p.adjudicate(); ended != nil {
		return ended
	}
	if p.writeProtection != nil && p.writeProtection(p.shown()).Say == "match" {
		return p.deny("write_protection") // PASS-49
	}
	if hookAsks != nil {
		p.tighten("hook", *hookAsks)
	}
	if p.ask != nil {
		p.book.supersede() // PASS-48
	}
	return nil
}

// refuse settles the ask itself as refused: nobody else did.
func (p *pass) refuse(reason string) end {
	p.book.refuse(reason, p.ask.origin)
	return p.deny("ask_resolution")
}

func (p *pass) allow() end {
	p.book.keepForBytes(digest(p.input)) // PASS-51
	return p.exit("allow")               // PASS-55
}

func (p *pass) deny(layer string) end {
	p.facts.DeniedBy = layer
	ended := p.exit("deny")
	ended.parkFailed = p.parkFailed
	if layer != "hook" && ended.record != nil && p.observer != nil {
		p.observer(*ended.record, p.shown()) // PASS-52, PASS-53: that very record
	}
	return ended
}

func (p *pass) defect() end { return &passEnd{result: "defect"} }

// exit mints the record, once (PASS-53), and copies the input that was decided on (PASS-54).
func (p *pass) exit(result string) end {
	if s := p.book.settled; s != nil {
		p.facts.Settled = settledAsk{&s.settlement, &s.origin, nil}
	}
	record, err := mint(p.facts)
	if err != nil {
		return p.defect()
	}
	return &passEnd{result: result, record: record, final: p.shown()}
}
